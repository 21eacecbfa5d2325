"""Questions about figures answered from cells of tables: the item, the period and the statement that are asked for."""

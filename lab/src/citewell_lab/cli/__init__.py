"""The laboratory's commands, added to the command line through the entry points of `citewell.commands`."""

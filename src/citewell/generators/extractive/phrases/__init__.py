"""Short answers from prose: the phrase of a sentence that answers the question, typed and cited."""

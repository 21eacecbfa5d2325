"""Short answers from prose: the phrase of a sentence that a question asks for, typed and cited."""

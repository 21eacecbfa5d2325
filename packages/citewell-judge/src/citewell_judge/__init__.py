"""The weights of citewell's judge: the folder `model`, which `checker=judge-small` takes by itself."""

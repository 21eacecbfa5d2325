"""The weights of citewell's small model: the folder `model`, which `checker=mini` and its kin take by themselves."""

"""The laboratory's commands, which reach the command line through the entry points of `citewell.commands`."""

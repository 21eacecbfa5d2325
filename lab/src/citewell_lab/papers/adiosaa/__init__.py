"""ADiOSAA: attribution by units and optimal selection (Sancheti et al. 2024)."""

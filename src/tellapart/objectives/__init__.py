"""Every equation of the paper, one pure function each: losses, rewards, REINFORCE."""

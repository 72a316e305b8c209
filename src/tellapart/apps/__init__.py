"""What people run on their own pictures."""

"""Line of sight: the height of the ground, the profile, what it hangs on, night, and what is spotted."""

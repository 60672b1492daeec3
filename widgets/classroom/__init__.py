"""A class in session: the learner's side, the teacher's, the projector."""

"""What plays a lesson: stage, examples, predictions, exercises, replayed turns."""

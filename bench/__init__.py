"""What ``make bench`` measures: one module for each subject, each with a ``run()`` that yields measures."""

"""What is kept: progress, reviews, links, authored lessons and class sessions, in SQLite or PostgreSQL.

Only the server process and `ldv teacher` import this package; a reader's kernel never does (SQLAlchemy costs it 17
MiB). Nothing is imported here, so that `tutor` stays light.
"""

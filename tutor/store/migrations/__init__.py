"""Migrations of the store, oldest first; the server runs at its start those that its database has not seen.

A new one: copy the newest, give it the next number, describe the change in `upgrade`, and change `schema.py` alike
(`tests/store/test_migrations.py` compares the two).
"""

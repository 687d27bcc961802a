"""Sells tea."""

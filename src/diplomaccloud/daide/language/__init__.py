"""The DAIDE language: tokens, frames, text, and the grammar of messages."""

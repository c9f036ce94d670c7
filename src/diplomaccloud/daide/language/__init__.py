"""The language of DAIDE: tokens, frames, texts, and the grammar of messages."""

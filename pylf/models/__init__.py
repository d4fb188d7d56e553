"""Models: chat models, the reading of their replies, encoders of texts, and indexes of what they encode."""

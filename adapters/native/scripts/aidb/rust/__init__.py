"""Values and expressions of Rust."""

"""What pylf costs: start-up, compiling, growth with size, schemas, loading. See README.md."""

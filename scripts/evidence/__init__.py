"""What was checked, how and when: the record, and the line under each snippet."""

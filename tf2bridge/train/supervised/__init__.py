"""Sessions that save, summarize and recover by themselves: Supervisor and MonitoredTrainingSession."""

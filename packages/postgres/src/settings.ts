/** Ours by default; an operator may have reasons to change any of them. */
const defaults: Record<string, string> = {
  shared_buffers: '128MB',
  max_connections: '100',
  // Enough recycled log for bursts of writes, little enough for a small disk.
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  // An acknowledged write survives a power loss. These are PostgreSQL's defaults, made explicit.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Not minimal: pg_basebackup and standbys need it, and single-row writes cost the same.
  wal_level: 'replica',
  // Compiling pays for reports of seconds; our queries take less than the compiler.
  jit: 'off',
  // Parallel queries put their hash tables into /dev/shm, which has 64 MB in a container, and fail if it is full.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',

  // Rows and parameters are confidential, so statements, parameters and error texts (which quote values) are not
  // logged: only the client gets them. The rest is the server's own lifecycle: start, stop, crash, recovery.
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_error_statement: 'panic',
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

/** Settings as command line flags. Those that keep the server private cannot be changed. */
export function settingFlags(settings: Record<string, string>, name: string, port: number): string[] {
  const fixed = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    ssl: 'off',
    password_encryption: 'scram-sha-256',
    // The mark by which leftovers are recognised: processes.ts.
    cluster_name: name,
    update_process_title: 'on',
    // The server writes to the stderr it was given: postmaster.ts.
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  return Object.entries({ ...defaults, ...settings, ...fixed }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

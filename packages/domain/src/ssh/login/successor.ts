/** SQL: the newest certificate `c` of the host `t`. */
export const NEWEST_HOST_CERTIFICATE = `from ssh_certificates c where c.ssh_host_id = t.id and c.cert_type = 'host'
  order by c.created_at desc, c.id desc limit 1`;

/**
 * SQL: whether that is followed by another one without a request. A revoked certificate has no successor, nor has one with
 * another name than the host has now.
 */
export const HAS_SUCCESSOR = `t.host_public_key is not null
  and coalesce((select c.revoked_at is null and c.principals = array[t.hostname] ${NEWEST_HOST_CERTIFICATE}), false)`;

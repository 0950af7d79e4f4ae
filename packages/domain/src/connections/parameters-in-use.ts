/**
 * Tables `r` and `in_use`: rotations with their present parameters, and with those by which the credentials were made that they
 * still hold. The accounts of both are theirs: whatever ends a credential ends what works at its account then.
 */
export const PARAMETERS_IN_USE = `secret_rotations r cross join lateral (
  select r.parameters union select c.parameters from secret_rotation_credentials c
  where c.organization_id = r.organization_id and c.rotation_id = r.id and c.parameters is not null) in_use`;

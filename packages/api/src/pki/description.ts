/** Of operations that let clients enrol, or show what they enrol with. */
export const LETS_ENROLL =
  'Where clients enrol by EST or ACME, this also takes the right to issue by the template or profile, without an end: ' +
  'they get all that it issues. To end enrolment takes no such right.';

/** Of operations that revoke. */
export const DISABLES =
  'Where authorities work with the certificate, they are disabled: it also takes the right to edit each of them.';

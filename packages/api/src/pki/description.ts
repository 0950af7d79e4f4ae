/** For operations that enable enrollment, or show its credentials. */
export const LETS_ENROLL =
  'If clients enrol by EST or ACME, the caller also needs the permanent right to issue by the template or profile, because these clients get all that it issues. Ending enrolment does not need this right.';

/** Of operations that revoke. */
export const DISABLES =
  'If authorities use the certificate, they are disabled. The caller then also needs the right to edit each of them.';

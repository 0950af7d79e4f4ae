/** The fields of an integration authentication, which are the same for all apps. */
export const INTEGRATION_AUTH_FIELDS = ['accessId', 'accessToken', 'awsAssumeIamRoleArn', 'url', 'namespace'] as const;
export type IntegrationAuthField = (typeof INTEGRATION_AUTH_FIELDS)[number];
/** What `/api/v1/integration-auth` is given, and what earlier releases have sealed of it. */
export type IntegrationAuthFields = Readonly<Record<IntegrationAuthField, string | null>>;

/** The default of each field. */
export const NO_FIELDS: IntegrationAuthFields = {
  accessId: null,
  accessToken: null,
  awsAssumeIamRoleArn: null,
  url: null,
  namespace: null,
};

import { count } from '../../ui/count.ts';

export const texts = {
  nothingThatYouMayRead: 'Nothing that you may read ends.',
  weekOf: (days: string) => `Week of ${days}`,
  weeks: 'Weeks',
  days: 'Days',
  whatEndsWhen: 'What ends when',
  credentialsThatEnd: 'Credentials that end',
  renewOrReplaceItBefore: 'Renew or replace it before.',
  ofMachineIdentitiesOfOrganization:
    'Of the machine identities of the organization, and your API keys: renew or replace them before.',
  dividedInto: 'Divided into',
  kind: 'Kind',
  all: 'All',
  nameOrWhatItIsOf: 'Name, or what it is of',
  whatEndsLater: 'What ends later',
  sshCertificate: 'SSH certificate',
  serviceToken: 'Service token',
  lease: 'Lease',
  temporaryRole: 'Temporary role',
  temporaryPrivilege: 'Temporary privilege',
  deletedKey: 'Deleted key',
  clientSecret: 'Client secret',
  apiKeyOfYours: 'API key of yours',
  ofOwner: (owner: string) => `of ${owner}`,
  renewedAlready: 'Renewed already',
  isRenewedDaysBefore: (days: number) => `Is renewed ${count(days, { one: 'day', other: 'days' })} before`,
};

import { afterAll, beforeAll, describe } from 'vitest';
import { access } from './flows/access.ts';
import { account } from './flows/account.ts';
import { accessibility } from './flows/accessibility.ts';
import { apiReference } from './flows/api-reference.ts';
import { audit } from './flows/audit.ts';
import { certificateRules } from './flows/certificate-rules.ts';
import { certificates } from './flows/certificates.ts';
import { connections } from './flows/connections.ts';
import { entering } from './flows/entering.ts';
import { drafts } from './flows/drafts.ts';
import { everybody } from './flows/everybody.ts';
import { expiry } from './flows/expiry.ts';
import { faults } from './flows/faults.ts';
import { firstRun } from './flows/first-run.ts';
import { folderTransfer } from './flows/folder-transfer.ts';
import { instance } from './flows/instance.ts';
import { keyboardOnly } from './flows/keyboard-only.ts';
import { killed } from './flows/killed.ts';
import { kms } from './flows/kms.ts';
import { narrow } from './flows/narrow.ts';
import { languages } from './flows/languages.ts';
import { offered } from './flows/offered.ts';
import { ownAccess } from './flows/own-access.ts';
import { projectSettings } from './flows/project-settings.ts';
import { secretDetails } from './flows/secret-details.ts';
import { secretFolders } from './flows/secret-folders.ts';
import { secrets } from './flows/secrets.ts';
import { signingIn } from './flows/signing-in.ts';
import { ssh } from './flows/ssh.ts';
import { consoleWorld, hasBrowser, type ConsoleWorld } from './harness.ts';
import { sampleOf } from './sample.ts';

type Flow = (world: () => ConsoleWorld) => void;

/** How one comes in, secrets and their edits, what goes wrong, and the keyboard. */
const ALWAYS: readonly Flow[] = [firstRun, signingIn, entering, secrets, drafts, faults, killed, keyboardOnly];

/** One by one about as long as its neighbor. */
const DRAWN: readonly Flow[] = [
  ...[account, projectSettings, audit, folderTransfer, secretFolders, instance, secretDetails, access],
  ...[connections, certificateRules, certificates, ssh, kms, expiry, apiReference, narrow, ownAccess],
];

/** Made from the lists of screens, of which they take samples themselves. */
const GENERATED: readonly Flow[] = [everybody, languages, offered, accessibility];

// One server and one browser for all flows. Each has its own people and projects. `npm test` runs half of those that are drawn, and
// opens half of the screens for one of the people; `pnpm console` all of them for everybody, in both themes (`sample.ts`).
describe.skipIf(!hasBrowser)('the console, in Chromium (Debian package chromium-headless-shell, or chromium)', () => {
  let world: ConsoleWorld;
  const shared = () => world;

  beforeAll(async () => {
    world = await consoleWorld();
  });
  afterAll(() => world?.close());

  for (const flow of [...ALWAYS, ...sampleOf(DRAWN, 2), ...GENERATED]) flow(shared);
});

import { VAULT_URL } from '../../../apps/azure/index.ts';
import { needed } from '../../fields.ts';

const EXPECTED = 'the URL of a vault, as https://shop.vault.azure.net';

/** The base URL of a vault, without its last slash. */
export const VaultBaseUrl = needed(EXPECTED, 64)
  .toLowerCase()
  .overwrite((url) => url.replace(/\/$/, ''))
  .regex(VAULT_URL, EXPECTED)
  .meta({ examples: ['https://shop.vault.azure.net'] });

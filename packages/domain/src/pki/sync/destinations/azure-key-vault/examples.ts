import { AzureCloud, AzureVaultCertificates } from '../../../../apps/azure/testing/index.ts';
import { azureFault } from '../../../../apps/azure/testing/cloud.ts';
import type { PkiSyncExample } from '../../testing/example.ts';

const RETRY_AFTER = 1_800;

export const example: PkiSyncExample = {
  target() {
    const azure = new AzureCloud();
    const vault = new AzureVaultCertificates();
    return {
      credentials: { method: 'client-secret', tenantId: azure.tenantId, ...azure.application },
      config: { vaultBaseUrl: `https://${vault.host}` },
      besides: { enableVersioning: false },
      retryAfter: RETRY_AFTER,
      async serve(standIns) {
        await azure.serve(standIns);
        await azure.serveApi(standIns, vault);
      },
      setClock: (now) => void (vault.now = now),
      held: () => vault.present().map((one) => ({ ...one, reference: one.name })),
      put: (name, held) => vault.set(name, { ...held, tags: {} }),
      setAccident(accident) {
        azure.accident = (call) => {
          const isAffected = accident === 'kept' ? call.method === 'DELETE' : call.url.pathname.endsWith('/import');
          if (!accident || !isAffected) return false;
          if (accident === 'lost') vault.serve({ ...call, answer: () => undefined });
          if (accident === 'lost') call.answer(502, azureFault('BadGateway', 'Bad gateway'));
          if (accident === 'refused') call.answer(403, azureFault('Forbidden', 'Caller may not import it'));
          if (accident === 'kept') call.answer(403, azureFault('Forbidden', 'Caller may not delete it'));
          if (accident === 'throttled')
            call.answer(429, azureFault('Throttled', 'Too many'), { 'retry-after': String(RETRY_AFTER) });
          return true;
        };
      },
    };
  },
};

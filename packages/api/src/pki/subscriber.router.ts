import {
  CertificateBundle,
  certificatePermissions,
  CreateSubscriber,
  createSubscriber,
  deleteSubscriber,
  getSubscriber,
  Id,
  IssuedCertificate,
  issueForSubscriber,
  orderForSubscriber,
  latestBundleOfSubscriber,
  ListCertificatesOfSubscriber,
  listCertificatesOfSubscriber,
  ListedCertificate,
  listSubscribers,
  SignedCertificate,
  SignForSubscriber,
  signForSubscriber,
  Subscriber,
  subscriberPermissions,
  SubscriberRef,
  UpdateSubscriber,
  updateSubscriber,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove, 'issue-cert': issue, 'list-certs': listCerts } = subscriberPermissions;
const ALL = '/api/v1/pki/subscribers';
const ONE = `${ALL}/{subscriberName}` as const;

export const subscriberRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/pki-subscribers', read, 'List the subscribers of a project', {
        aliases: ['/api/v2/workspace/{projectId}/pki-subscribers'],
      }),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ subscribers: z.array(Subscriber) }))
    .query(async ({ ctx, input }) => ({ subscribers: await listSubscribers(ctx, input) })),
  create: procedure
    .meta(rest('POST', ALL, create, 'Create a subscriber'))
    .input(CreateSubscriber)
    .output(Subscriber)
    .mutation(({ ctx, input }) => createSubscriber(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read a subscriber'))
    .input(SubscriberRef)
    .output(Subscriber)
    .query(({ ctx, input }) => getSubscriber(ctx, input)),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update a subscriber'))
    .input(UpdateSubscriber)
    .output(Subscriber)
    .mutation(({ ctx, input }) => updateSubscriber(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a subscriber; its certificates stay valid'))
    .input(SubscriberRef)
    .output(Subscriber)
    .mutation(({ ctx, input }) => deleteSubscriber(ctx, input)),
  order: procedure
    .meta(rest('POST', `${ONE}/order-certificate`, issue, 'Issue a certificate to a subscriber without returning it'))
    .input(SubscriberRef)
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => ({ message: await orderForSubscriber(ctx, input) })),
  issue: procedure
    .meta(rest('POST', `${ONE}/issue-certificate`, issue, 'Issue a certificate to a subscriber, with a new key'))
    .input(SubscriberRef)
    .output(IssuedCertificate)
    .mutation(({ ctx, input }) => issueForSubscriber(ctx, input)),
  sign: procedure
    .meta(rest('POST', `${ONE}/sign-certificate`, issue, 'Sign a certificate signing request for a subscriber'))
    .input(SignForSubscriber)
    .output(SignedCertificate)
    .mutation(({ ctx, input }) => signForSubscriber(ctx, input)),
  latestBundle: procedure
    .meta(
      rest(
        'GET',
        `${ONE}/latest-certificate-bundle`,
        [listCerts, certificatePermissions['read-private-key']],
        'Read the newest certificate of a subscriber with its private key in PEM',
      ),
    )
    .input(SubscriberRef)
    .output(CertificateBundle)
    .query(({ ctx, input }) => latestBundleOfSubscriber(ctx, input)),
  certificates: procedure
    .meta(rest('GET', `${ONE}/certificates`, listCerts, 'List the certificates of a subscriber'))
    .input(ListCertificatesOfSubscriber)
    .output(z.object({ certificates: z.array(ListedCertificate), totalCount: z.int() }))
    .query(({ ctx, input }) => listCertificatesOfSubscriber(ctx, input)),
});

import { Camunda } from '../../../apps/camunda/testing/camunda.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const camunda = new Camunda();
    const { clientId, clientSecret: secret } = camunda.application;
    return {
      hosts: { 'login.cloud.camunda.io': camunda.listener, 'api.cloud.camunda.io': camunda.listener },
      methods: {
        'client-credentials': {
          ...{ given: camunda.application, shown: { clientId }, secret },
          wrong: { clientSecret: 'another-secret' },
          elsewhere: { clientId: 'another' },
        },
      },
      lists: { clusters: { answer: { clusters: [{ uuid: camunda.cluster, name: 'Production' }] } } },
    };
  },
};

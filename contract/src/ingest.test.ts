import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const bodyAt = (path: string) =>
    document.paths[path].post.requestBody.content['application/json'].schema;

  it('types the body of readings, so that generated clients can send them', () => {
    const entries = { type: 'array', items: { $ref: '#/components/schemas/ReadingEntry' } };
    const values = { $ref: '#/components/schemas/ReadingValues' };
    const path = '/data/v1/organizations/{organizationId}/devices/{deviceId}';
    const [list, data, plain] = bodyAt(path).anyOf;
    expect(list.properties.dataArray).toEqual(entries);
    expect(data.properties.data.anyOf).toEqual([values, entries]);
    expect(plain).toEqual(values);
    expect(bodyAt('/payload').properties.dataArray).toEqual(entries);
  });

  it('names the known settings of a classification', () => {
    const { properties } = document.components.schemas.Asset.properties.classificationDetails;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['make', 'ratedKw', 'runningHoursVariableIds']),
    );
  });
});

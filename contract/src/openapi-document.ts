export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type JsonSchema = { [key: string]: Json };

interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  style?: 'form';
  explode?: boolean;
  schema: JsonSchema;
}

interface MediaType {
  schema: JsonSchema;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

export interface OperationItem {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
  /** The data of server-sent events, by their names. */
  'x-events'?: Record<string, JsonSchema>;
  'x-access': string;
  'x-permission'?: string;
  'x-workflow-stage'?: string;
}

export type Method = 'get' | 'post' | 'patch' | 'delete';

export type PathItem = { [M in Method]?: OperationItem };

export interface SecurityScheme {
  type: 'http';
  scheme: 'basic' | 'bearer';
  bearerFormat?: string;
  description: string;
}

/** The part of OpenAPI 3.1 that the service's description uses. */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}

export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

export interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export function bomOf(lock: object): Bom;

/** An open MQTT session of a Device. */
export interface ClientSession {
  readonly clientId: string;
  /** Ascending among the sessions of a node: a later one has a higher number. */
  readonly number: number;
}

/** The sessions of one Device at one node. */
export interface ReportedDevice {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly sessions: readonly ClientSession[];
}

/** What a node reports about its sessions to the node that acts for their Devices. */
export interface SessionReport {
  /** Identifies this start of the node. */
  readonly epoch: number;
  /** Ascending among the reports of a start: one that is overtaken by a later one is ignored. */
  readonly sequence: number;
  /** Partitions whose Devices with sessions are all listed. */
  readonly full: readonly number[];
  readonly devices: readonly ReportedDevice[];
}

/** Partitions that the node is to report in full. */
export interface ReportAnswer {
  readonly wanted: readonly number[];
}

export const encoded = (content: object): Buffer => Buffer.from(JSON.stringify(content));

export const decodeReport = (bytes: Buffer): SessionReport => JSON.parse(bytes.toString());

export const decodeAnswer = (bytes: Buffer): ReportAnswer => JSON.parse(bytes.toString());

public import Interception

/// A load that is about to start or has started, as hooks receive it.
public struct APICall: Sendable {
  /// The manager that loads.
  package let manager: ManagerIdentity
  /// The request that is sent into the pipeline.
  public let request: Request
  /// The reformed params, of the API's `Params` type.
  public let params: any Sendable
}

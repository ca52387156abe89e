public import Interception

/// A load that is about to begin, or has begun, as hooks see it.
public struct APICall: Sendable {
  /// Which manager loads.
  public let manager: ManagerIdentity
  /// The request, as it goes into the pipeline.
  public let request: Request
  /// The reformed params, of the API's own type.
  public let params: any Sendable
}

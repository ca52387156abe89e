public import Interception

/// A request that is to be part of a batch.
public struct MergeItem: Sendable {
  /// The ID by which the batch's response names the request's own response; unique in the batch.
  public let id: String
  /// The request.
  public let request: Request

  /// Creates an item, for example to test a rule.
  package init(id: String, request: Request) {
    self.id = id
    self.request = request
  }
}

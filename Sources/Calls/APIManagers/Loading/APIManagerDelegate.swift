/// Receives the results of managers, which hold their delegate weakly.
///
/// One delegate can serve several managers: compare with `manager === houses`. Every load that was neither
/// joined nor ignored ends in exactly one of these calls, unless a hook vetoes the delivery, and never during
/// the call of `load` or `cancel` itself.
@MainActor public protocol APIManagerDelegate: AnyObject {
  /// Called when a valid response was received; ``APIManaging/lastResponse(as:)`` converts it for
  /// presentation.
  func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse)
  /// Called when a load failed; the error's description says why and what to do.
  func managerDidFail(_ manager: any APIManaging, with error: APIError)
}

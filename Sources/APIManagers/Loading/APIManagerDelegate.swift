/// Receives the results of managers, which hold their delegate weakly.
///
/// One delegate can serve several managers: compare with `manager === houses`. Every load that was neither
/// joined nor ignored ends in exactly one of these calls, unless a hook vetoes it, and never during the call
/// of `load` or `cancel` itself.
@MainActor public protocol APIManagerDelegate: AnyObject {
  /// Called when a valid answer was received; `fetch(with:)` converts it for presentation.
  func managerDidSucceed(_ manager: any APIManaging, with answer: RawAnswer)
  /// Called when a load failed; the failure's description says why and what to do.
  func managerDidFail(_ manager: any APIManaging, with failure: APIFailure)
}

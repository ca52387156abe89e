/// Whoever shows what managers load; a manager holds its delegate weakly.
///
/// One delegate can serve several managers: compare with `manager === houses`. Every load that was neither
/// joined nor ignored ends in exactly one of these calls, never within the call of `load` or `cancel` itself.
@MainActor public protocol APIManagerDelegate: AnyObject {
  /// An answer arrived and is good; `fetch(with:)` makes of it what is to be shown.
  func managerDidSucceed(_ manager: any APIManaging, with answer: RawAnswer)
  /// There is no good answer; the failure's description says why, in a sentence to act on.
  func managerDidFail(_ manager: any APIManaging, with failure: APIFailure)
}

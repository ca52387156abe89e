#if DEBUG
import Synchronization

/// Checks, in debug builds only, that an interceptor calls `next` as often as its traits declare.
///
/// A release build contains neither this type nor a call of it: the check, even without an allocation, keeps
/// the compiler from inlining small interceptors. A call of six that pass on takes 32 % more instructions.
@usableFromInline
final class NextCallCheck: Sendable {
  private let step: Step
  private let calls = Atomic(0)

  @usableFromInline
  init(_ step: Step) { self.step = step }

  /// Counts a call of `next`.
  ///
  /// - Throws: ``NetworkError/Kind/rejected`` for a second call that is not declared, which sends nothing.
  @usableFromInline
  func noteCall(with request: Request) throws(NetworkError) {
    let earlier = calls.wrappingAdd(1, ordering: .relaxed).oldValue
    if let fault = step.callsNext.fault(callingAgainAfter: earlier) { throw error(fault, request) }
  }

  /// Checks the number of calls when the interceptor has returned a response.
  ///
  /// - Throws: ``NetworkError/Kind/rejected`` if the number is not the declared one.
  @usableFromInline
  func checkEnd(of request: Request) throws(NetworkError) {
    let calls = calls.load(ordering: .relaxed)
    if let fault = step.callsNext.fault(respondingAfter: calls) { throw error(fault, request) }
  }

  private func error(_ fault: String, _ request: Request) -> NetworkError {
    NetworkError(
      .rejected, "\(step.name) \(fault) Only debug builds check this.",
      requestMayHaveBeenProcessed: calls.load(ordering: .relaxed) > 0, origin: .pipeline,
      attempt: request.attempt)
  }
}

extension InterceptorTraits.NextCalls {
  /// What is wrong with a call of `next` after a number of earlier ones, and the remedy; nil if nothing is.
  func fault(callingAgainAfter earlier: Int) -> String? {
    guard self != .anyNumber, earlier > 0 else { return nil }
    return
      "calls next again, but its traits declare callsNext: .\(self); declare .anyNumber, or call next once."
  }

  /// What is wrong with a response after a number of calls of `next`, and the remedy; nil if it is declared.
  func fault(respondingAfter calls: Int) -> String? {
    if calls > 1 { return fault(callingAgainAfter: calls - 1) }
    guard self == .exactlyOnce, calls == 0 else { return nil }
    return
      "responds without calling next, but its traits declare callsNext: .exactlyOnce; declare .atMostOnce, "
      + "or call next."
  }
}
#endif

import HTTPTypes
import Interception

/// Decides from the `Date` of a refusal whether the local clock is wrong, and by how much.
struct ClockSkew: Sendable {
  /// The maximum skew that can't be the reason for a refusal: half the verifier's window.
  static let tolerance: Duration = .seconds(150)

  /// The maximum offset that is accepted; zero disables the correction.
  let limit: Duration

  /// Returns the offset to sign with from now on, or nil if the refusal has other reasons.
  ///
  /// - Parameters:
  ///   - offset: The offset that was added to the local clock for the refused request.
  ///   - now: The local time at which the response arrived.
  func correction(for response: Response, offset: Duration, now: @autoclosure () -> WallTime)
    -> Duration?
  {
    let code = response.status.code
    guard code == 401 || code == 403,
      // The date of a stored response is the time at which it was stored.
      response.cacheStatus?.isHit != true, response.head.headerFields[.age].map({ $0 == "0" }) ?? true,
      let stated = response.head.headerFields[.date]
    else { return nil }
    let now = now()
    guard let date = HTTPDate.parse(stated, now: now) else { return nil }
    let learnt = now.duration(to: date)
    let change = learnt - offset
    guard Self.magnitude(change) > Self.tolerance, Self.magnitude(learnt) <= limit else { return nil }
    return learnt
  }

  private static func magnitude(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
  }
}

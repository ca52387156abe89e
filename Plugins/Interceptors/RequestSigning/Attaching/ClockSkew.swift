import HTTPTypes
import Interception

/// Decides by a refusal's `Date` whether the local clock is wrong, and by how much.
struct ClockSkew: Sendable {
  /// A skew up to this is not why a server refuses: half the verifier's window.
  static let tolerance: Duration = .seconds(150)

  /// The largest offset that is believed; zero turns learning off.
  let limit: Duration

  /// Returns the offset to sign with from now on, or nil when the refusal has other reasons.
  ///
  /// - Parameters:
  ///   - offset: What was added to the local clock for the refused request.
  ///   - now: The local clock at the answer's arrival.
  func correction(for response: Response, offset: Duration, now: @autoclosure () -> WallTime)
    -> Duration?
  {
    let code = response.status.code
    guard code == 401 || code == 403,
      // A stored answer's date is of the day it was stored.
      response.exchange.cache?.isHit != true, response.head.headerFields[.age].map({ $0 == "0" }) ?? true,
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

public import Interception

/// What happened to a version of the deployment document, and why.
///
/// `Deployments` passes each event to its observer, and records those about starts on the device, so that an
/// app can report afterwards why it uses an older version.
public struct DeploymentEvent: Sendable, Hashable {
  /// A kind of event.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The parts of the version are in force; the detail names them. Not recorded.
    case applied
    /// A received document changed nothing; the detail says why. Not recorded.
    case refused
    /// The version was received, stored, and is on trial.
    case received
    /// The app died while the version was on trial.
    case died
    /// The app ended while the version was on trial for a reason that is no fault of the version.
    case interrupted
    /// The app died twice, so the version before is used for a while.
    case heldBack = "held back"
    /// The version was held back so often that only a newer one, or another version of the app, ends that.
    case givenUp = "given up"
    /// The version is on trial again.
    case triedAgain = "tried again"
    /// The app has worked with the version long enough, and has said so.
    case confirmed
    /// The stored document can't be used in this start; the detail says why.
    case unusable
    /// The record of starts was damaged, and was begun anew from the stored documents.
    case rebuilt
    /// The record of starts can't be read or written; a version on trial is not used meanwhile.
    case unrecorded
  }

  /// When it happened, by the wall clock.
  public let time: WallTime
  /// The version of the document; nil if the event is about none.
  public let version: UInt64?
  /// What happened.
  public let kind: Kind
  /// What else is known of it, as a sentence; empty if nothing is.
  public let detail: String

  init(_ kind: Kind, _ version: UInt64?, at time: WallTime, _ detail: String = "") {
    (self.kind, self.version, self.time, self.detail) = (kind, version, time, detail)
  }
}

extension DeploymentEvent: CustomStringConvertible {
  /// The version, what happened to it, and the detail; without the time.
  public var description: String {
    let subject = version.map { "Deployment \($0)" } ?? "Deployment"
    return detail.isEmpty ? "\(subject): \(kind.rawValue)" : "\(subject): \(kind.rawValue). \(detail)"
  }
}

import Foundation

/// What a run of the app reports, as a line of JSON.
enum SoakMessage: Codable, Hashable {
  case began(step: Int)
  /// A step has ended: how, after how many milliseconds, and how many requests this user has sent so far.
  case ended(step: Int, Ending, milliseconds: Double, user: Int, requests: Int, isScreen: Bool)
  /// A favourite was promised: the server has it, or it waits for the network in the file.
  case promised(home: Int, waits: Bool)
  /// A favourite that waited was refused, or a change was reported as damaged.
  case refused(String)
  case deployed(UInt64)
  /// The version of the document with which an app has started, 0 for none; whether a later one is held back.
  case startedWith(UInt64, isHeldBack: Bool)
  /// A count is kept in the app's own data.
  case kept(Int)
  /// The count that the app's own data has at the start of a run.
  case found(kept: Int)
  /// What is left after all apps have ended, beyond what there was before.
  case left(Remains)

  /// The verdict on a step.
  enum Ending: Codable, Hashable {
    /// The screen shows what the listings say, or there was nothing to show.
    case right
    /// It failed with an error of this label, which the faults explain.
    case failed(String)
    /// What was shown is not what the listings say, or the faults don't explain the error.
    case wrong(String)
  }

  /// What apps have left in a process after their end.
  struct Remains: Codable, Hashable {
    var threads = 0
    var descriptors = 0
    var apps = 0
    var kibibytes = 0
    /// The last line about the user's actions.
    var actions = ""
    /// The changes that still wait.
    var waiting = 0
  }

  var line: String {
    let data = try? JSONEncoder().encode(self)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  init?(line: some StringProtocol) {
    guard let message = try? JSONDecoder().decode(SoakMessage.self, from: Data(line.utf8)) else { return nil }
    self = message
  }
}

/// Why the page can't be served, or calls can't be kept in a file.
public struct InspectorError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Another program, or another inspector, has the port.
    case portTaken(UInt16)
    /// The user may not open the port.
    case portForbidden(UInt16)
    /// A release build serves the page only if it is asked twice.
    case releaseBuild
    /// The token can be guessed, or can't be part of an address.
    case weakToken
    /// A function of the system failed with this error number.
    case system(String, Int32)
    /// The file for calls, by its path, can't be used.
    case file(String, FileFault)
    /// Calls were recorded, or another file was named, before the file for calls.
    case fileNamedTooLate
  }

  /// Why a file for calls can't be used.
  package enum FileFault: Sendable, Hashable {
    /// Another inspector, of this process or another one, has it open.
    case inUse
    /// It belongs to another program, to another user or to a newer version of this library, or is a link.
    case foreign
    /// It or its folder can't be written.
    case notWritable
    /// The disk or the user's quota is exhausted.
    case full
    /// It was found damaged while it was in use.
    case damaged
    /// It was deleted or replaced while it was in use.
    case replaced
    /// Any other failure.
    case unusable
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  /// Whether another program, or another inspector, has the port or the file.
  public var isInUse: Bool {
    switch reason {
    case .portTaken, .file(_, .inUse): true
    default: false
    }
  }
}

extension InspectorError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch reason {
    case .portTaken(let port):
      "The inspector's port \(port) is in use; stop the program that has it, or pass another port, or 0 for any free one."
    case .portForbidden(let port):
      "The inspector's port \(port) needs more rights; pass a port above 1023, or 0 for any free one."
    case .releaseBuild:
      "The inspector shows a user's calls, so a release build serves it only with inRelease: true; pass it, "
        + "or remove the call of serve."
    case .weakToken:
      "The inspector's token needs at least 32 characters, of letters, digits, \"-\" and \"_\"; pass random ones, or nil."
    case .system(let function, let code):
      "The inspector can't be served: \(function) failed with error \(code); free some of the process's files, or try again."
    case .file(let path, let fault): "The inspector's file \"\(path)\" \(fault.sentence)."
    case .fileNamedTooLate:
      "The inspector has recorded calls or has a file already; call keepCalls once, before anything is sent."
    }
  }
}

extension InspectorError.FileFault {
  /// The fault and the remedy.
  fileprivate var sentence: String {
    switch self {
    case .inUse: "is open in another inspector; stop that app, or pass another path"
    case .foreign:
      "belongs to another program, another user or a newer version, or is a link; pass a path in a folder that only "
        + "you can write"
    case .notWritable: "can't be written; check the permissions of the file and its folder"
    case .full: "can't grow, because the disk is full; free space"
    case .damaged: "is damaged; start the app again, which moves the file away and begins a new one"
    case .replaced: "was deleted or replaced while it was open; start the app again to begin a new one"
    case .unusable: "can't be used; check its folder and the disk"
    }
  }
}

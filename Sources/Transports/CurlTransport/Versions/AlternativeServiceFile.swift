public import Interception

/// A file in which a dispatcher keeps what servers have advertised by `Alt-Svc` (RFC 7838), so that the first
/// request of the next start can use HTTP/3.
///
/// ```swift
/// let file = AlternativeServiceFile("/var/lib/estate/alt-svc") { print($0) }
/// let dispatcher = CurlDispatcher(configuration: .init(alternativeServices: file))
/// ```
///
/// It holds hosts, ports, times and the digests of partitions, at most a thousand advertisements of at most
/// 30 days; no failures. A partition of a login without a name is left out. The file is replaced atomically,
/// with permissions for its owner only, at most once in five seconds, and by
/// ``CurlDispatcher/shutdown(grace:)``. ``CurlDispatcher/networkDidChange()`` empties it.
///
/// A file that is damaged, or that another version has written, is ignored and replaced; one with other
/// content gets another name. Neither fails a request. Use a file for one dispatcher at a time: of two, the
/// one that writes last determines its content.
public struct AlternativeServiceFile: Sendable {
  /// Why a file was not read or written; the dispatcher continues in memory.
  public struct Fault: Error, LoggableError, Sendable, Hashable {
    enum Reason: Sendable, Hashable {
      /// It can't be read; `setAside` is its new name, if it has one.
      case unreadable(String, setAside: String?)
      /// It is not complete, was changed, or is one of another version.
      case damaged
      /// It has the content of something else.
      case foreign(setAside: String?)
      case unwritable(String)
    }

    let path: String
    let reason: Reason
  }

  let path: String
  let onFault: @Sendable (Fault) -> Void

  /// Creates a file, which need not exist.
  ///
  /// - Parameters:
  ///   - path: The path, in a folder that exists. The dispatcher reads the file when it is created, unless it
  ///     does not use HTTP/3.
  ///   - onFault: Receives the faults of the file, on the thread that reads or writes it. A file that can't
  ///     be written is reported once until it can.
  public init(_ path: String, onFault: @escaping @Sendable (Fault) -> Void = { _ in }) {
    self.path = path
    self.onFault = onFault
  }
}

extension AlternativeServiceFile.Fault: CustomStringConvertible {
  /// The path, what is wrong, and how to correct it.
  public var description: String {
    let subject = "The file of alternative services \(path.printable)"
    return switch reason {
    case .unreadable(let reason, let copy):
      "\(subject) can't be read: \(reason); \(WholeFile.clause(setAside: copy)). Check its owner and its "
        + "permissions."
    case .damaged:
      "\(subject) is damaged, or of another version; it is ignored, and replaced after the next advertisement."
    case .foreign(let copy):
      "\(subject) has other content; \(WholeFile.clause(setAside: copy)). Give "
        + "CurlDispatcher.Configuration(alternativeServices:) a path of its own."
    case .unwritable(let reason): "\(subject) can't be written: \(reason). Check its folder."
    }
  }
}

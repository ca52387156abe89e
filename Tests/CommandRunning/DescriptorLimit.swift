import Foundation

/// Lets the process open no more than a number of further files, until it is ended.
///
/// The limit applies to the whole process, so use it in an exit test.
public struct DescriptorLimit: ~Copyable {
  private var limit = rlimit()
  private let usual: rlim_t

  /// Begins to limit the process.
  ///
  /// - Parameter count: The number of descriptors that can still be opened.
  public init(leaving count: Int = 0) {
    getrlimit(Self.resource, &limit)
    usual = limit.rlim_cur
    // With a limit of zero none becomes free when another thread closes a file.
    guard count > 0 else {
      limit.rlim_cur = 0
      setrlimit(Self.resource, &limit)
      return
    }
    // The system gives the lowest number that is free.
    let free = (0...count).map { _ in open("/dev/null", O_RDONLY) }
    for descriptor in free where descriptor >= 0 { close(descriptor) }
    limit.rlim_cur = rlim_t(max(free.last ?? 0, 0))
    setrlimit(Self.resource, &limit)
  }

  /// Ends the limit.
  public consuming func end() {
    limit.rlim_cur = usual
    setrlimit(Self.resource, &limit)
  }

  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif
}

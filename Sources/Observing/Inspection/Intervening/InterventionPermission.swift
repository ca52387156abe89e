#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The permission to alter calls, which an ``InterventionInterceptor`` needs to be created.
///
/// A debug build needs one of the two values. A release build needs two switches, so that neither a line of
/// code nor a setting of the machine alters the calls of real users by itself:
///
/// 1. the code passes ``releaseBuildsToo``;
/// 2. the process has the environment variable `SWITCHYARD_INTERVENTIONS` with the value `1`.
public struct InterventionPermission: Sendable, Hashable {
  /// The name of the environment variable that a release build needs.
  static let variable = "SWITCHYARD_INTERVENTIONS"

  private let includesReleaseBuilds: Bool

  /// Permits altering calls in debug builds.
  public static let debugBuildsOnly = InterventionPermission(includesReleaseBuilds: false)
  /// Permits altering calls also in a release build whose process has `SWITCHYARD_INTERVENTIONS=1`.
  public static let releaseBuildsToo = InterventionPermission(includesReleaseBuilds: true)

  /// Returns why calls must not be altered; nil if they may be.
  ///
  /// - Parameters:
  ///   - isRelease: Whether this is a release build.
  ///   - variable: The value of the environment variable; nil if it isn't set.
  func refusal(isRelease: Bool, variable: String?) -> InterventionError? {
    guard isRelease else { return nil }
    guard includesReleaseBuilds else { return InterventionError(.releaseBuild) }
    return variable == "1" ? nil : InterventionError(.variableMissing)
  }

  /// Throws an error unless calls may be altered in this build and process.
  func check() throws(InterventionError) {
    #if DEBUG
    let isRelease = false
    #else
    let isRelease = true
    #endif
    let variable = getenv(Self.variable).map { String(cString: $0) }
    if let refusal = refusal(isRelease: isRelease, variable: variable) { throw refusal }
  }
}

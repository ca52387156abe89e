public import Interception

/// The arguments of `deploy` that name a value: `NAME=VALUE`, and points in time.
public enum DeploymentArgument {
  /// Reads `NAME=VALUE`.
  ///
  /// - Parameter option: The option, for the failure.
  public static func pair(
    _ text: String, of option: String
  ) throws(ToolFailure) -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ToolFailure(.usage, "\(option) needs NAME=FILE, not \"\(Printable.text(text))\".")
    }
    return (parts[0], parts[1])
  }

  /// Reads the seconds since 1970; nil is now.
  public static func time(
    _ text: String?, of option: String, now: WallTime
  ) throws(ToolFailure) -> WallTime {
    guard let text else { return WallTime(secondsSince1970: now.seconds) }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw ToolFailure(
        .usage,
        "\(option) needs seconds since 1970, as date +%s prints them, not \"\(Printable.text(text))\".")
    }
    return WallTime(secondsSince1970: seconds)
  }
}

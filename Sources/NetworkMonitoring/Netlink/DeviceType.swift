#if os(Linux) && canImport(Glibc)
import Glibc

/// Reads what kind of device an interface is from sysfs.
enum DeviceType {
  /// Returns the value of `DEVTYPE` in the interface's `uevent` file, such as `wlan`; nil if it has none.
  static func read(_ name: String) -> String? {
    guard !name.contains("/"), name != "..", name != "." else { return nil }
    let descriptor = open("/sys/class/net/\(name)/uevent", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = [UInt8](unsafeUninitializedCapacity: 1_024) { buffer, filled in
      filled = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
    return value(in: String(decoding: text, as: UTF8.self))
  }

  static func value(in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst(8)) }
  }
}
#endif

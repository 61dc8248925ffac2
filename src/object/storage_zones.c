/* SPDX-License-Identifier: Apache-2.0 */
#include "object/storage_zones.h"

#include <string.h>
#include <strings.h>

/* Provisioners whose volumes are in one zone: that of the node that the scheduler has chosen, if
 * the class waits for it. */
static const char *const zonal[] = {
    "blockvolume.csi.oraclecloud.com",
    "cinder.csi.openstack.org",
    "disk.csi.azure.com",
    "diskplugin.csi.alibabacloud.com",
    "ebs.csi.aws.com",
    "ebs.csi.eks.amazonaws.com",
    "kubernetes.io/aws-ebs",
    "kubernetes.io/azure-disk",
    "kubernetes.io/cinder",
    "kubernetes.io/gce-pd",
    "pd.csi.storage.gke.io",
    "vpc.block.csi.ibm.io",
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length >= strlen(end) && strcasecmp(text + length - strlen(end), end) == 0;
}

/* Are the volumes copied to several zones? Regional disks of Google, and zone-redundant ones of
 * Azure. */
static bool spans_zones(const struct labels *parameters)
{
    for (uint32_t i = 0; i < parameters->count; i++) {
        const char *key = parameters->items[i].key;
        const char *value = parameters->items[i].value;
        if (strcmp(key, "replication-type") == 0 && strcmp(value, "regional-pd") == 0)
            return true;
        if (strcmp(key, "type") == 0 && ends_with(value, "-high-availability"))
            return true;
        if ((strcasecmp(key, "skuName") == 0 || strcasecmp(key, "storageAccountType") == 0) &&
            ends_with(value, "_ZRS"))
            return true;
    }
    return false;
}

bool storage_class_is_zonal(const struct storage_class *class)
{
    if (!class->provisioner || spans_zones(&class->parameters))
        return false;
    for (size_t i = 0; i < sizeof(zonal) / sizeof(*zonal); i++)
        if (strcmp(zonal[i], class->provisioner) == 0)
            return true;
    return false;
}
